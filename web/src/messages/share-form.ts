/** Texts of `share/share-form.tsx`, which is loaded when it is opened. Texts with values are functions. */

export const shareForm = {
  anyoneLinkCanView: 'Anyone with the link can view this. Not indexed by search engines.',
  alwaysLatest: 'Always the latest of ',
  copyLinkNowYou: "Copy this link now. You won't see it again. It expires on ",
  earlierWhenScanDeleted: ', or earlier when the scan is deleted',
  badgeReadme: 'badge for a README',
}
