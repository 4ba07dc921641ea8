/** What differs between the dialects of Solidity from 0.4 to 0.8 in the stand-ins. */
import type { CompilerLine } from '../packages.ts'

export interface Dialect {
  /** `fallback` and, where the language has it, `receive`. */
  fallback(body: string, answer?: string): string
  call(to: string, value: string, data: string): string
  pay(to: string, value: string): string
  create(name: string, value: string, args: string): string
  readonly constructible: string
  readonly pure: string
  readonly view: string
  readonly payable: string
}

export const dialectOf = (line: CompilerLine): Dialect => ({
  fallback: (body, answer = '') =>
    line >= 6
      ? `fallback() external payable {${body}${answer}}\n    receive() external payable {${body}}`
      : `function() ${line >= 5 ? 'external' : 'public'} payable {${body}${answer}}`,
  call: (to, value, data) =>
    `assembly { ok := call(${line >= 5 ? 'gas()' : 'gas'}, ${to}, ${value}, add(${data}, 32), mload(${data}), 0, 0) }`,
  pay: (to, value) => `assembly { pop(call(${line >= 5 ? 'gas()' : 'gas'}, ${to}, ${value}, 0, 0, 0, 0)) }`,
  create: (name, value, args) =>
    line >= 6 ? `new ${name}{value: ${value}}(${args})` : `(new ${name}).value(${value})(${args})`,
  // Visible to everybody by itself since 0.7, where saying so is an error in a contract that can be deployed.
  constructible: line >= 7 ? '' : 'public ',
  pure: line >= 5 ? 'pure' : 'constant',
  view: line >= 5 ? 'view' : 'constant',
  payable: line >= 5 ? 'address payable' : 'address',
})
