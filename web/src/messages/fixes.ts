/** Texts of `fixes/`, by the file that shows them. */

export const fixView = {
  looking: 'Looking for a patch and scanning it…',
  scannedAgain: 'Scanned again: the finding is gone and no new one appears.',
  changesBehavior: 'Scanned again: the finding is gone. The patch changes behavior, review it.',
}
