/** Texts of `share/`, by the file that shows them. Texts with values are functions. */

export const linkList = {
  loadingYourLinks: 'Loading your links',
  revokeLinkMade: (name: string, ago: string) => `Revoke the link to ${name} made ${ago}`,
  latestScan: 'Latest scan of ',
}

export const linkWords = {
  findingsWithoutSource: 'The findings, without the source',
  findingsSource: 'The findings and the source',
  badgeScore: 'A badge with the score',
}

export const shareButton = {
  shareResult: 'Share this result',
}
