/** What the operator of this service configured, as the page says it. */
export interface Site {
  readonly links: readonly { readonly label: string; readonly href: string }[]
}

const nothing: Site = { links: [] }

export function readSite(page: Pick<Document, 'querySelector'> = document): Site {
  const text = page.querySelector<HTMLMetaElement>('meta[name="assay-site"]')?.content
  return text ? { ...nothing, ...(JSON.parse(text) as Partial<Site>) } : nothing
}
