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
  anyoneLinkCanView: 'Anyone with the link can view this. Not indexed by search engines.',
  alwaysLatest: 'Always the latest of ',
  copyLinkNowYou: "Copy this link now. You won't see it again. It expires on ",
  earlierWhenScanDeleted: ', or earlier when the scan is deleted',
  badgeReadme: 'badge for a README',
}
