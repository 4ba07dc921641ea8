import { type ReactNode, useContext, useEffect } from 'react'
import { Refusal } from '../api/client.ts'
import { Button } from './controls.tsx'
import { Prose } from './prose.tsx'
import { RefusedFieldContext } from './refused-field.ts'

export function Page({
  title,
  lead,
  actions,
  wide = false,
  fill = false,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  /** The whole width of the window, for pages that show code. */
  wide?: boolean
  /** Ends with the window, so that nothing scrolls but its parts: no footer. */
  fill?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  useEffect(() => {
    const { dataset } = document.documentElement
    if (fill) dataset.fill = ''
    return () => {
      delete dataset.fill
    }
  }, [fill])
  return (
    <div className={`mx-auto w-full px-4 sm:px-6 ${wide ? 'py-4' : 'max-w-6xl py-8'}`}>
      <header className={`${wide ? 'mb-3' : 'mb-6'} flex flex-wrap items-end justify-between gap-4`}>
        <div>
          <h1 tabIndex={-1} className="text-2xl font-semibold outline-none">
            {title}
          </h1>
          {lead && <p className="mt-1 max-w-2xl text-soft">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function Card({
  title,
  actions,
  children,
  className = '',
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={`rounded-lg border border-line bg-panel ${className}`}>
      {title && (
        <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-3">
          <h2 className="font-semibold">{title}</h2>
          {actions}
        </div>
      )}
      <div className="p-4">{children}</div>
    </section>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-6 py-12 text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="mt-2 text-sm text-soft">{children}</div>}
    </div>
  )
}

/** What is not there is not there the next time either. */
const isGone = (error: unknown): boolean => error instanceof Refusal && error.status === 404

/** A failure in words, with a way to try again where that can help. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const refused = useContext(RefusedFieldContext)
  if (refused?.error === error) return null
  return (
    <div role="alert" className="rounded-md border border-critical/40 bg-panel px-4 py-3 text-sm">
      <p className="text-critical">
        <Prose text={error instanceof Error ? error.message : String(error)} />
      </p>
      {retry && !isGone(error) && (
        <Button className="mt-3" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

export function Note({ children, tone = 'plain' }: { children: ReactNode; tone?: 'plain' | 'good' | 'warn' }) {
  const edge = { plain: 'border-line', good: 'border-good/50', warn: 'border-medium/60' }[tone]
  return <div className={`rounded-md border ${edge} bg-panel px-4 py-3 text-sm`}>{children}</div>
}

/** A table; on a phone its rows are lines that wrap, so that nothing and no action is out of sight. */
export function Table({ caption, head, children }: { caption: string; head: readonly string[]; children: ReactNode }) {
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-lg border border-line bg-panel"
    >
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-xs text-soft">
            {head.map((name) => (
              <th key={name} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                {name || <span className="sr-only">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  )
}

export const Row = ({ children }: { children: ReactNode }) => (
  <tr className="max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-4 max-sm:py-3">
    {children}
  </tr>
)

export function Cell({
  children,
  className = '',
  label,
}: {
  children?: ReactNode
  className?: string
  /** What the column is about, on a phone, where there is no head; for values that do not say it themselves. */
  label?: string
}) {
  return (
    <td className={`px-4 py-2.5 align-middle max-sm:p-0 max-sm:empty:hidden ${className}`}>
      {label && (
        <span aria-hidden="true" className="mr-1 text-soft sm:hidden">
          {label}
        </span>
      )}
      {children}
    </td>
  )
}
