import { type ReactNode, useEffect } from 'react'
import { Button } from './controls.tsx'

export function Page({
  title,
  lead,
  actions,
  wide = false,
  children,
}: {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  /** The whole width of the window, for pages that show code. */
  wide?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  return (
    <div className={`mx-auto w-full px-4 sm:px-6 ${wide ? 'py-4' : 'max-w-6xl py-8'}`}>
      <header className={`${wide ? 'mb-3' : 'mb-6'} flex flex-wrap items-end justify-between gap-4`}>
        <div>
          <h1 tabIndex={-1} className="text-2xl font-semibold outline-none">
            {title}
          </h1>
          {lead && <p className="mt-1 max-w-2xl text-soft">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
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

/** A failure in words, with a way to try again where that can help. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div role="alert" className="rounded-md border border-critical/40 bg-panel px-4 py-3 text-sm">
      <p className="text-critical">{error instanceof Error ? error.message : String(error)}</p>
      {retry && (
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

/** A table that scrolls sideways by itself on a narrow screen, reachable by keyboard. */
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
        <thead>
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

export function Cell({ children, className = '' }: { children?: ReactNode; className?: string }) {
  return <td className={`px-4 py-2.5 align-middle ${className}`}>{children}</td>
}
