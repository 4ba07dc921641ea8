/** Texts of `pages/scan.tsx`. Texts with values are functions. */

export const scan = {
  scanContract: 'Scan a contract',
  compilingRunningAttacksCan: 'Compiling and running attacks. This can take up to a minute.',
  yourPlanTakesFiles: (bytes: string, bytes2: string) => `Limits: ${bytes} per upload, ${bytes2} per contract.`,
  scansOneProjectShare:
    'Scans of one project share findings and decisions: what is fixed, new, or accepted carries over.',
  verifyFindingsSimulatedAttacks: 'Verify findings with simulated attacks',
}
