const button =
  'inline-flex items-center justify-center gap-2 rounded-md border px-3 py-1.5 text-sm font-medium min-h-9 disabled:opacity-60'
export const looks = {
  primary: `${button} cursor-pointer bg-accent text-accent-ink border-transparent hover:brightness-110`,
  plain: `${button} cursor-pointer bg-panel text-ink border-line hover:bg-sunken`,
  quiet: `${button} cursor-pointer bg-transparent text-ink border-transparent hover:bg-sunken`,
} as const
