import { planNames, plans } from '../server/src/core/plans.ts'

/** What the dashboard's plan page offers, said once in the server's plan table. */
export function generatePlanOffers(): { path: string; content: string }[] {
  const offers = planNames.map((name) => {
    const plan = plans[name]
    return { name, monthlyUsd: plan.priceCents / 100, lines: linesOf(plan) }
  })
  const content = [
    '// Generated from server/src/core/plans.ts by `npm run generate`. Do not edit.',
    '',
    `export const planOffers = ${JSON.stringify(offers, null, 2)} as const`,
    '',
    "export type PlanName = (typeof planOffers)[number]['name']",
    '',
  ].join('\n')
  return [{ path: 'web/src/generated/plan-offers.ts', content }]
}

type Plan = (typeof plans)[keyof typeof plans]

function linesOf(plan: Plan): string[] {
  return [
    `${plan.scansPerDay} scans a day`,
    `${plan.requestsPerHour} requests an hour`,
    `Up to ${size(plan.maxFileBytes)} per upload`,
    `Up to ${size(plan.maxContractBytes)} per contract`,
    `${plan.historyDays} days of history`,
    ...(plan.features.mailNotices ? ['Email notifications'] : []),
    ...(plan.features.batches ? ['Batch scans'] : []),
    ...(plan.features.ai ? ['AI review with your own key'] : []),
    ...(plan.features.webhooks ? ['Webhooks'] : []),
    ...(plan.features.sla ? ['API availability SLA'] : []),
  ]
}

const size = (bytes: number): string => (bytes >= 1024 * 1024 ? `${bytes / (1024 * 1024)} MB` : `${bytes / 1024} KB`)
