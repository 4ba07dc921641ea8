// Generated from server/src/core/plans.ts by `npm run generate`. Do not edit.

export const planOffers = [
  {
    "name": "free",
    "monthlyUsd": 0,
    "lines": [
      "5 scans a day",
      "60 requests an hour",
      "Up to 100 KB per upload",
      "Up to 5 KB per contract",
      "7 days of history"
    ]
  },
  {
    "name": "basic",
    "monthlyUsd": 9.99,
    "lines": [
      "100 scans a day",
      "600 requests an hour",
      "Up to 1 MB per upload",
      "Up to 50 KB per contract",
      "30 days of history",
      "Email notifications",
      "Batch scans"
    ]
  },
  {
    "name": "pro",
    "monthlyUsd": 29.99,
    "lines": [
      "1000 scans a day",
      "6000 requests an hour",
      "Up to 5 MB per upload",
      "Up to 500 KB per contract",
      "90 days of history",
      "Email notifications",
      "Batch scans",
      "AI review with your own key",
      "Webhooks",
      "API availability SLA"
    ]
  }
] as const

export type PlanName = (typeof planOffers)[number]['name']
