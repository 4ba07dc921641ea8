/** The details of an event in words. Members by their address, each named once; who left has only an id. */
export function detailWords(detail: Readonly<Record<string, string>>, emails: ReadonlyMap<string, string>): string {
  const named = Object.entries(detail).map(([name, value]) => [name, emails.get(value) ?? value] as const)
  const member = named.find(([name]) => name === 'member')?.[1]
  return (
    named
      .filter(([name, value]) => !(name === 'email' && value === member))
      // Its name says more.
      .filter(([name]) => !(name === 'projectId' && detail.project !== undefined))
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · ')
  )
}
