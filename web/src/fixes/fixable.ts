/** Detectors whose findings may have a patch, as the engine has them: for the others its worker is not loaded. */
export const fixable: ReadonlySet<string> = new Set([
  'deprecated-function',
  'floating-pragma',
  'function-default-visibility',
  'incorrect-constructor-name',
  'reentrancy',
  'state-variable-default-visibility',
  'tx-origin-authorization',
  'unchecked-call-return-value',
])
