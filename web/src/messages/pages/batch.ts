/** Texts of `pages/batch.tsx`. Texts with values are functions. */

export const batch = {
  title: 'Batch',
  counts: (done: number, total: number) => `${done} of ${total} scans done`,
  cancel: 'Cancel the rest',
  loading: 'Loading the batch…',
  more: 'Only the first 100 scans are listed here. All of them are in History.',
}
