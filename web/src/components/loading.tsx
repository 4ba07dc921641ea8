const bar = 'animate-pulse rounded bg-sunken'
const box = 'rounded-lg border border-line bg-panel'

const shapes = {
  text: () => (
    <div className="space-y-3 py-4">
      <div className={`h-4 w-1/3 ${bar}`} />
      <div className={`h-4 w-2/3 ${bar}`} />
      <div className={`h-4 w-1/2 ${bar}`} />
    </div>
  ),
  /** A list with two lines each. */
  rows: () => (
    <div className={`divide-y divide-line ${box}`}>
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="flex items-center gap-4 px-4 py-4">
          <div className={`size-8 shrink-0 ${bar}`} />
          <div className="flex-1 space-y-2">
            <div className={`h-4 w-1/3 ${bar}`} />
            <div className={`h-3 w-1/2 ${bar}`} />
          </div>
          <div className={`h-2 w-24 max-sm:hidden ${bar}`} />
        </div>
      ))}
    </div>
  ),
  cards: () => (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {[1, 2, 3].map((card) => (
        <div key={card} className={`space-y-3 p-4 ${box}`}>
          <div className={`h-5 w-1/2 ${bar}`} />
          <div className={`h-8 w-1/4 ${bar}`} />
          <div className={`h-16 ${bar}`} />
        </div>
      ))}
    </div>
  ),
  /** Findings, code and explanation, side by side where there is room. */
  result: () => (
    <div className="space-y-3">
      <div className={`flex items-center gap-4 p-4 ${box}`}>
        <div className={`size-20 shrink-0 rounded-full ${bar}`} />
        <div className="flex-1 space-y-2">
          <div className={`h-5 w-1/4 ${bar}`} />
          <div className={`h-4 w-1/2 ${bar}`} />
        </div>
      </div>
      <div className="grid gap-3 xl:grid-cols-[20rem_minmax(0,1fr)_24rem]">
        {['findings', 'code', 'explanation'].map((part) => (
          <div key={part} className={`space-y-3 p-4 xl:h-[60vh] ${box}`}>
            <div className={`h-4 w-2/3 ${bar}`} />
            <div className={`h-4 w-1/2 ${bar}`} />
            <div className={`h-4 w-3/4 ${bar}`} />
            <div className={`h-4 w-1/3 ${bar}`} />
          </div>
        ))}
      </div>
    </div>
  ),
  /** Contents, words and examples. */
  columns: () => (
    <div className="grid gap-6 lg:grid-cols-[14rem_minmax(0,1fr)_22rem]">
      {['contents', 'words', 'examples'].map((part) => (
        <div key={part} className="space-y-3 py-2">
          <div className={`h-4 w-2/3 ${bar}`} />
          <div className={`h-4 w-1/2 ${bar}`} />
          <div className={`h-24 ${bar}`} />
        </div>
      ))}
    </div>
  ),
} as const

export type LoadingShape = keyof typeof shapes

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
