/** Texts of `pages/shared.tsx`. Texts with values are functions. */

export const shared = {
  requestFullLink: 'Ask the sender for the full link.',
  loadingResult: 'Loading the result',
  sharedYouUntil: ', shared with you until',
  withoutSource: ', without the source',
  scanYourOwn: 'Scan your own',
}
