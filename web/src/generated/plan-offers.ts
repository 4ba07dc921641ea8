// Generated from server/src/core/plans.ts by `npm run generate`. Do not edit.

export const planOffers = [
  {
    "name": "free",
    "monthlyUsd": 0,
    "lines": [
      "5 scans a day",
      "60 requests an hour",
      "files up to 100 KB",
      "contracts up to 5 KB",
      "7 days of history"
    ]
  },
  {
    "name": "basic",
    "monthlyUsd": 9.99,
    "lines": [
      "100 scans a day",
      "600 requests an hour",
      "files up to 1 MB",
      "contracts up to 50 KB",
      "30 days of history",
      "mail about scans, quota and keys",
      "many scans in one call"
    ]
  },
  {
    "name": "pro",
    "monthlyUsd": 29.99,
    "lines": [
      "1000 scans a day",
      "6000 requests an hour",
      "files up to 5 MB",
      "contracts up to 500 KB",
      "90 days of history",
      "mail about scans, quota and keys",
      "many scans in one call",
      "AI-assisted scans with your own key",
      "webhooks",
      "API service level"
    ]
  }
] as const

export type PlanName = (typeof planOffers)[number]['name']
