/** Texts of `run/`. Texts with values are functions. */

export const run = {
  queuedAgo: (ago: string) => `Queued ${ago}`,
  steps: { queued: 'Queued', running: 'Analyzing', completed: 'Result' },
  position: (position: number) => `number ${position} of your scans`,
  filesDone: (done: number, all: number) => `${done} of ${all} files`,
  left: (words: string) => `about ${words} left`,
  cancel: 'Cancel scan',
  survives: 'You can leave this page. The scan continues.',
  failed: 'The scan failed.',
  notCharged: 'It was not charged.',
  leaveOut: 'Leave out tests, scripts and libraries, or scan a part of the project.',
  largest: (folders: readonly { folder: string; files: number }[]) =>
    `Largest folders: ${folders.map(({ folder, files }) => `${folder} (${files} ${files === 1 ? 'file' : 'files'})`).join(', ')}.`,
  changeFiles: 'Change files and scan again',
  newScan: 'New scan',
  cancelled: 'This scan was cancelled. It was not charged.',
}
