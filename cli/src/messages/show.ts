/** Texts of `show/`, by the file that shows them. Texts with values are functions. */

export const outlineOf = {
  contractThereNoSuch: (missing: string) => `--contract ${missing}: there is no such contract.`,
}

export const views = {
  whoMayCallWhat: (name: string) => `${name}: who may call what`,
  entryPointsWhatThey: (name: string) => `${name}: entry points and what they call outside`,
  storageSlotsUnknownNot: (name: string, list: string) => `${name}: storage, slots unknown: ${list} not found`,
}
