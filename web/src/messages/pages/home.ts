/** Texts of `pages/home.tsx`. Texts with values are functions. */

export const home = {
  scanContract: 'Scan a contract',
  planResets: (plan: string, resetsAt: string) =>
    `${plan[0]?.toUpperCase()}${plan.slice(1)} plan. The daily quota resets ${resetsAt}.`,
}
