const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const minute = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: 'numeric' })
const second = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: 'numeric', second: 'numeric' })

/** The words at one end of a time axis: the day, or the time where both ends have the same day, with seconds if they have the same minute. */
export const endWords = (at: string, other: string | undefined): string => {
  const [here, there] = [new Date(at), new Date(other ?? at)]
  const isOf = (format: Intl.DateTimeFormat) => format.format(here) === format.format(there)
  if (other === undefined || !isOf(day)) return day.format(here)
  return (isOf(minute) ? second : minute).format(here)
}
