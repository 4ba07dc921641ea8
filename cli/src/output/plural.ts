/** `1 file`, `1,204 files`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** By hand: the first question about a locale costs a fifth of a run that finds everything in the cache. */
const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
