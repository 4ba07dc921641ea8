/** Detectors about tidiness: the pragma, visibility, events, names. They stand in one group after everything that can be attacked. */
export const housekeeping: ReadonlySet<string> = new Set([
  'deprecated-function',
  'floating-pragma',
  'function-default-visibility',
  'missing-privileged-event',
  'outdated-compiler',
  'shadowed-state-variable',
  'single-step-ownership',
  'state-variable-default-visibility',
  'unused-variable',
])

export const isHousekeeping = ({ detector }: { readonly detector: string }): boolean => housekeeping.has(detector)
