import type { AbiFunction } from '../evm/abi.ts'
import type { CompilerLine } from '../packages.ts'
import type { AddressTypes } from './address-types.ts'

/** A node of the compiler's tree, as far as it is read. */
export interface AstNode {
  readonly nodeType: string
  readonly id: number
  readonly src: string
  readonly name?: string
  readonly operator?: string
  readonly contractKind?: string
  readonly linearizedBaseContracts?: readonly number[]
  /** Of a contract with a constructor: the types of its parameters as written. */
  readonly constructorTypes?: readonly string[]
  readonly addressTypes?: AddressTypes
  readonly typeDescriptions?: { readonly typeString?: string | null }
}

export interface LinkReferences {
  readonly [file: string]: {
    readonly [library: string]: readonly { readonly start: number; readonly length: number }[]
  }
}

/** Bytecode as hex without prefix; places of libraries still to be filled in. */
export interface Bytecode {
  readonly object: string
  readonly linkReferences: LinkReferences
}

/** Place of an instruction in the text: bytes, not UTF-16 units. */
export interface SourceRange {
  readonly start: number
  readonly end: number
  /** Index of the source, -1 for code of the compiler's own. */
  readonly file: number
}

export interface CompiledContract {
  readonly name: string
  readonly path: string
  readonly kind: 'contract' | 'library' | 'interface'
  readonly functions: readonly AbiFunction[]
  readonly constructorAbi: AbiFunction
  /** Solidity types of the constructor's parameters: the ABI knows no contracts. */
  readonly constructorTypes: readonly string[]
  readonly addressTypes: AddressTypes
  /** Of the `receive` and `fallback` functions: none, or whether ether is accepted. */
  readonly acceptsEther: boolean
  readonly hasFallback: boolean
  readonly creation: Bytecode
  readonly runtime: Bytecode
  readonly sourceMap: string
  /** Names of itself and its bases, most derived first. */
  readonly bases: readonly string[]
}

export interface CompiledSource {
  readonly path: string
  readonly text: string
  readonly ast: AstNode
  readonly index: number
}

export interface Compilation {
  readonly line: CompilerLine
  readonly compiler: string
  /** Whose sources completed the files; null: none were needed. */
  readonly libraries: string | null
  readonly contracts: readonly CompiledContract[]
  readonly sources: readonly CompiledSource[]
}

export type CompileResult =
  | { readonly ok: true; readonly compilation: Compilation }
  | { readonly ok: false; readonly error: string }
