/** Texts of `pages/detectors.tsx`. Texts with values are functions. */

export const detectors = {
  allDetectorsSeverityVulnerable: 'All detectors, by severity, with vulnerable and fixed examples.',
  searchNameNumberSlither: 'Search by name, number, or Slither or Aderyn id',
  notSwc: 'Not in SWC',
}
