/** Texts of `pages/detector.tsx`. Texts with values are functions. */

export const detector = {
  incidents: 'Real incidents',
  vulnerableFixed: 'Vulnerable and fixed',
  alsoCalled: (names: string) => `also called ${names}`,
  loadingCatalogue: 'Loading the catalogue',
  detectorNotFound: 'Detector not found',
  notSwc: 'Not in SWC',
  howAttacked: 'How it is attacked',
  howFix: 'How to fix it',
}
