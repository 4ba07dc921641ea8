/** Texts of `show/`, by the file that shows them. Texts with values are functions. */

export const outlineOf = {
  contractThereNoSuch: (missing: string) => `--contract ${missing}: there is no such contract.`,
}

export const views = {
  whoMayCallWhat: (name: string) => `${name}: who may call what`,
  attackSurface: (all: number, open: number, costly: number) =>
    `Attack surface: ${all} entry points that change something, ${open} open to anyone, ${costly} of those move value or run other code`,
  valueAtRisk: 'value at risk',
  stateVariables: (name: string) => `${name}: state variables, written and read by whom`,
  dataDependencies: (name: string) => `${name}: what is written to state, and what it depends on`,
  controlFlow: (name: string) => `${name}: control flow`,
  callGraph: (name: string) => `${name}: calls`,
  entryPointsWhatThey: (name: string) => `${name}: entry points and what they call outside`,
  storageSlotsUnknownNot: (name: string, list: string) => `${name}: storage, slots unknown: ${list} not found`,
}
