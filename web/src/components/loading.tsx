import type { ReactNode } from 'react'

/** Darker than the page in the light, lighter in the dark: seen on both. */
const bar = 'animate-pulse rounded bg-line/60'
const box = 'rounded-lg border border-line bg-panel'
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const Line = ({ size }: { size: string }) => <div className={`${size} ${bar}`} />

const Words = () => (
  <div className="space-y-3 py-4">
    <Line size="h-4 w-1/3" />
    <Line size="h-4 w-2/3" />
    <Line size="h-4 w-1/2" />
  </div>
)

/** A list with two lines each. */
const Rows = ({ count = 5 }: { count?: number }) => (
  <div className={`divide-y divide-line ${box}`}>
    {upTo(count).map((row) => (
      <div key={row} className="flex items-center gap-4 px-4 py-4">
        <Line size="size-8 shrink-0" />
        <div className="flex-1 space-y-2">
          <Line size="h-4 w-1/3" />
          <Line size="h-3 w-1/2" />
        </div>
        <Line size="h-2 w-24 max-sm:hidden" />
      </div>
    ))}
  </div>
)

const Cards = ({ columns, inside }: { columns: string; inside: string }) => (
  <div className={`grid gap-4 ${columns}`}>
    {upTo(3).map((card) => (
      <div key={card} className={`space-y-3 p-4 ${box}`}>
        <Line size="h-5 w-1/2" />
        <Line size="h-8 w-1/4" />
        <Line size={inside} />
      </div>
    ))}
  </div>
)

/** A card with a title. */
const Section = ({ children }: { children: ReactNode }) => (
  <div className={box}>
    <div className="border-b border-line px-4 py-4">
      <Line size="h-4 w-1/4" />
    </div>
    <div className="space-y-3 p-4">{children}</div>
  </div>
)

/** A label and the field under it. */
const Fields = ({ columns }: { columns: string }) => (
  <div className={`grid gap-4 ${columns}`}>
    {upTo(2).map((field) => (
      <div key={field} className="space-y-2">
        <Line size="h-3 w-16" />
        <Line size="h-9" />
      </div>
    ))}
  </div>
)

const shapes = {
  text: Words,
  rows: () => <Rows />,
  /** The projects, and the latest scans. */
  home: () => (
    <div className="space-y-6">
      <Line size="h-4 w-24" />
      <Cards columns="sm:grid-cols-2 lg:grid-cols-3" inside="h-16" />
      <Rows />
    </div>
  ),
  /** How scores moved, and the scans. */
  history: () => (
    <div className="space-y-4">
      <div className="flex gap-4 overflow-hidden">
        {upTo(3).map((chart) => (
          <div key={chart} className={`min-w-72 flex-1 space-y-4 p-4 ${box}`}>
            <Line size="h-5 w-1/2" />
            <Line size="h-32" />
          </div>
        ))}
      </div>
      <Rows count={7} />
    </div>
  ),
  /** How the score moved, then what is new, fixed and unchanged. */
  comparison: () => (
    <div className="space-y-4">
      <Line size="h-6 w-1/3" />
      {upTo(3).map((group) => (
        <Section key={group}>
          <Line size="h-4 w-2/3" />
          <Line size="h-4 w-1/2" />
        </Section>
      ))}
      <div className={`grid grid-cols-2 gap-px overflow-hidden ${box}`}>
        <Line size="h-48" />
        <Line size="h-48" />
      </div>
    </div>
  ),
  /** How it stands, the limits, the offers and the invoices. */
  plan: () => (
    <div className="space-y-6">
      <Line size="h-12" />
      <Section>
        <Line size="h-12" />
      </Section>
      <Cards columns="sm:grid-cols-3" inside="h-48" />
      <Rows count={2} />
    </div>
  ),
  /** What can be added, and what there is. */
  form: () => (
    <div className="space-y-6">
      <Section>
        <Fields columns="sm:grid-cols-2" />
      </Section>
      <Rows count={3} />
    </div>
  ),
  /** A field for code, and the button under it. */
  editor: () => (
    <div className="space-y-4">
      <Line size="h-9 w-64 max-w-full" />
      <Line size="h-[30rem]" />
      <Line size="h-9 w-20" />
    </div>
  ),
  /** Cards one below the other. */
  sections: () => (
    <div className="space-y-6">
      {upTo(4).map((section) => (
        <Section key={section}>
          <Fields columns="sm:grid-cols-2" />
        </Section>
      ))}
    </div>
  ),
  /** Words, then the mistake and its fix side by side. */
  article: () => (
    <div className="space-y-6">
      <Words />
      <Words />
      <div className="grid gap-4 lg:grid-cols-2">
        <Line size="h-72" />
        <Line size="h-72" />
      </div>
    </div>
  ),
  /** Findings, code and explanation, side by side where there is room. */
  result: () => (
    <div className="space-y-4">
      <div className={`flex items-center gap-4 p-4 ${box}`}>
        <Line size="size-20 shrink-0 rounded-full" />
        <div className="flex-1 space-y-2">
          <Line size="h-5 w-1/4" />
          <Line size="h-4 w-1/2" />
        </div>
      </div>
      <div className="grid gap-3 md:h-[calc(100dvh-5rem)] md:min-h-[36rem] md:grid-cols-[19rem_minmax(0,1fr)] md:grid-rows-2 xl:grid-cols-[22rem_minmax(0,1fr)_25rem] xl:grid-rows-1">
        {['findings', 'code', 'explanation'].map((part) => (
          <div
            key={part}
            className={`space-y-3 p-4 ${box} ${part === 'findings' ? 'max-md:h-[70dvh] md:row-span-2 xl:row-span-1' : 'max-md:hidden'}`}
          >
            <Line size="h-4 w-2/3" />
            <Line size="h-4 w-1/2" />
            <Line size="h-4 w-3/4" />
            <Line size="h-4 w-1/3" />
          </div>
        ))}
      </div>
    </div>
  ),
  /** Contents, words and examples. */
  columns: () => (
    <div className="grid gap-6 lg:grid-cols-[14rem_minmax(0,1fr)_22rem]">
      <Line size="h-8 lg:h-64" />
      <div>
        <Words />
        <Words />
      </div>
      <Line size="h-32" />
    </div>
  ),
} as const

export type LoadingShape = keyof typeof shapes

/** Pages of this shape take the whole width of the window. */
export const isWide = (shape: LoadingShape): boolean => shape === 'result' || shape === 'columns'

/** Takes the place of what is on its way, in its shape, so that little moves when it comes. */
export function Loading({ what = 'Loading', shape = 'text' }: { what?: string; shape?: LoadingShape }) {
  const Shape = shapes[shape]
  return (
    <div role="status" data-shape={shape}>
      <span className="sr-only">{what}…</span>
      <Shape />
    </div>
  )
}
