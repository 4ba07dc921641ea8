export interface CallParts {
  readonly before: string
  readonly call: string
  readonly after: string
}

/** A step of an attack with its words apart from the call: "prepares a contract that re-enters `Bank.withdraw()`". */
export function callParts(step: string): CallParts {
  const found = /[\w$]+\.[\w$]+(\(.*?\))?/.exec(step)
  if (!found) return { before: step, call: '', after: '' }
  const [call] = found
  return { before: step.slice(0, found.index), call, after: step.slice(found.index + call.length) }
}
