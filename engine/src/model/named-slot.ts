/**
 * A slot far from all others that code names by a constant (ERC-1967, ERC-7201): it holds what a state variable would, so it is one.
 * It has no declaration; the place where it is first named stands for it.
 */
import type { Span, StateVariable } from '../syntax/index.ts'
import type { SourceFile, Type, VariableModel } from './declaration.ts'

/** Below, the compiler puts what is declared. */
const firstFarSlot = 1n << 128n

export const isFarSlot = (slot: bigint): boolean => slot >= firstFarSlot

export class NamedSlot implements VariableModel {
  readonly kind = 'variable'
  readonly role = 'state'
  readonly name = 'storage slot'
  readonly location = 'storage'
  readonly contract = null
  readonly isConstant = false
  readonly isImmutable = false
  readonly isTransient = false
  readonly visibility = 'internal'
  readonly value = null
  readonly isNamed = true
  readonly node: StateVariable
  readonly file: SourceFile
  readonly type: Type
  readonly span: Span

  constructor(file: SourceFile, type: Type, { start, end }: Span) {
    this.file = file
    this.type = type
    this.span = { start, end }
    this.node = {
      kind: 'StateVariable',
      start,
      end,
      type: { kind: 'ElementaryType', name: 'bytes32', start, end } as StateVariable['type'],
      name: { kind: 'Identifier', name: this.name, start, end, meaning: undefined },
      visibility: 'internal',
      constant: false,
      immutable: false,
      transient: false,
      override: null,
      value: null,
    }
  }
}
