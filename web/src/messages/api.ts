/** Texts of `api/`, by the file that shows them. Texts with values are functions. */

export const client = {
  offline: 'You are offline. Nothing was sent. Try again when you are connected.',
  fileNotRead: 'The file could not be loaded. Try again.',
  connectionEndedBeforeResult: 'The connection ended before the result arrived. Try again.',
  serviceBusyRetryingS: (ceil: number) => `The service is busy. Retrying in ${ceil} s.`,
}
