/**
 * Files of a test runner that were copied into a project: `console.sol`, forge-std, ds-test. They are known by content: such a
 * file names an address that only a test runner answers, and declares nothing that can be deployed. A contract that gets
 * deployed is never taken for one, whatever it names.
 */
const stringOrComment = /"(?:\\.|[^"\\\n])*["\\\n]?|'(?:\\.|[^'\\\n])*['\\\n]?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
/** `console.log` as an address, the cheat codes' address, and the words whose hash that is. */
const runnerAddress =
  /0x0*636f6e736f6c652e6c6f67\b|0x7109709ecfa91a80626ff3989d68f67f5b1dd12d\b|["']hevm cheat code["']/i
/** The base of ds-test is the only one that is not abstract. */
const deployable = /(?<!\babstract\s{1,9})\bcontract\s+(?!DSTest\b)[A-Za-z_$][\w$]*\s*(?:\bis\b|\{|$)/

export const isTestTool = (text: string): boolean => {
  if (!runnerAddress.test(text)) return false
  const code = text.replace(stringOrComment, (match) => (match.startsWith('/') ? ' ' : match))
  return runnerAddress.test(code) && !deployable.test(code)
}
