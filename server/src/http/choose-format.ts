export const formats = ['json', 'sarif', 'markdown', 'html'] as const
export type Format = (typeof formats)[number]

export const mediaTypes: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  sarif: 'application/sarif+json; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

const bareTypes: readonly (readonly [string, Format])[] = [
  ['application/json', 'json'],
  ['application/sarif+json', 'sarif'],
  ['text/markdown', 'markdown'],
  ['text/html', 'html'],
]

/** The format a query names, else the one the `Accept` header likes best, else JSON. */
export function chooseFormat(named: Format | undefined, accept: string | undefined): Format {
  if (named !== undefined) return named
  let best: { format: Format; quality: number } | undefined
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = qualityOf(parameters)
    const format = type === '*/*' || type === 'application/*' ? 'json' : bareTypes.find(([bare]) => bare === type)?.[1]
    if (format && quality > (best?.quality ?? 0)) best = { format, quality }
  }
  // HTTP libraries name text/html beside anything else; a program that wants a page names it alone.
  return best === undefined || (best.format === 'html' && takesAnything(accept ?? '')) ? 'json' : best.format
}

const takesAnything = (accept: string): boolean => /(^|,)\s*\*(\/\*)?\s*(;|,|$)/.test(accept)

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return Number.isNaN(quality) ? 0 : quality
}
