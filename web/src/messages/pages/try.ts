/** Texts of `pages/try.tsx`. Texts with values are functions. */

export const tryTexts = {
  scanBrowser: 'Scan in this browser',
  runsEntirelyYourBrowser: 'Runs entirely in your browser. Nothing is uploaded. No account needed.',
  keepResult: 'Keep this result',
  signUpKeepResult: 'Sign up to keep this result',
  scanBrowser2: 'Scan in this browser',
}
