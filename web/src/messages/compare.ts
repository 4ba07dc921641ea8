/** Texts of `compare/`, by the file that shows them. Texts with values are functions. */

export const compareFindings = {
  suppressedComment: (length: number) => `${length} suppressed by a comment`,
}

export const sinceLastTime = {
  sinceLastScan: 'Since last scan:',
}

export const sourceDiff = {
  unchangedLines: (count: number) => `⋯ ${count} unchanged lines`,
  twoSourcesSideSide: 'The two sources side by side',
}

export const useScans = {
  hasNoResultCompare: (fileName: string) => `${fileName} has no result to compare.`,
}
