/** One known library: how it is imported and a short account of it in Solidity, bodies reduced to what matters. */
export interface Stub {
  /** File name without `.sol`; also a name it defines. */
  readonly name: string
  readonly text: string
}

export const stub = (name: string, text: string): Stub => ({ name, text })

/**
 * The `-upgradeable` twin: contracts get the suffix and an initializer instead of a constructor. Interfaces and
 * libraries kept their names there from version 5 on, so both spellings are served.
 */
export const upgradeable = ({ name, text }: Stub): Stub => {
  const words = new Set(
    [...text.matchAll(/\b(?:contract|library|interface|import) "?(\w+)|\b(I?ERC\d+\w*)/g)].map(
      ([, defined, standard]) => defined ?? standard ?? '',
    ),
  )
  const twin = text
    .replace(/\w+/g, (word) => (words.has(word) ? `${word}Upgradeable` : word))
    // All of them come with the modifiers of the set-up, by the one base that they end in.
    .replace(/\bcontract (\w+) \{/g, 'contract $1 is Initializable {')
    .replace(/\bconstructor(\([^)]*\))[^{]*\{/g, `function __${name}_init$1 internal { _checkSetUp();`)
  const needsBase = / is Initializable \{/.test(twin)
  return { name: `${name}Upgradeable`, text: needsBase ? `import "Initializable";${twin}` : twin }
}
