import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { trendChart as texts } from '../messages/components.ts'
import { endWords } from './end-words.ts'
import { formatTime } from './format.ts'
import { ratingColor } from './rating-color.ts'
import { sharesOfTime } from './shares-of-time.ts'

export interface TrendPoint {
  scanId: string
  at: string
  score: number
  /** Null: severe findings stand in its place. */
  rating: string | null
}

const height = 140
const left = 30
const right = 12
const bottom = 22
const top = 10

const words = ({ at, score, rating }: TrendPoint): string =>
  `${formatTime(at)}: ${score}${rating === null ? ' of 100' : `, ${rating}`}`

/** Scores over time, oldest first: each point opens its scan, and says date and score to every reader. */
export function TrendChart({ name, points }: { name: string; points: readonly TrendPoint[] }) {
  const [box, width] = useWidth()
  const [selected, setSelected] = useState<number | null>(null)
  const shares = sharesOfTime(points.map(({ at }) => Date.parse(at)))
  const x = (index: number) => left + 8 + (shares[index] ?? 0.5) * (width - left - right - 8)
  const y = (score: number) => top + ((100 - score) * (height - top - bottom)) / 100
  const path = points
    .map((point, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(point.score).toFixed(1)}`)
    .join(' ')
  const shown = selected === null ? undefined : points[selected]
  return (
    <figure ref={box} aria-label={texts.scoreOverTime(name)} className="relative">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="block" role="presentation">
        <Axis width={width} y={y} first={points[0]} last={points.length > 1 ? points.at(-1) : undefined} />
        <path d={path} fill="none" stroke="var(--accent)" strokeWidth="2" />
        {points.map((point, index) => (
          <Link
            key={point.scanId}
            to="/scans/$scanId"
            params={{ scanId: point.scanId }}
            aria-label={words(point)}
            onPointerEnter={() => setSelected(index)}
            onPointerLeave={() => setSelected(null)}
            onFocus={() => setSelected(index)}
            onBlur={() => setSelected(null)}
          >
            {/* A finger needs more room than the point takes. */}
            <circle cx={x(index)} cy={y(point.score)} r="12" fill="transparent" />
            <circle
              cx={x(index)}
              cy={y(point.score)}
              r={selected === index ? 6 : 4.5}
              fill={ratingColor(point.rating)}
            />
          </Link>
        ))}
      </svg>
      {shown && selected !== null && (
        <p
          role="tooltip"
          className="pointer-events-none absolute z-10 rounded-md border border-line bg-panel px-2 py-1 text-xs whitespace-nowrap shadow-lg"
          style={{
            top: y(shown.score) < height / 2 ? y(shown.score) + 12 : y(shown.score) - 40,
            ...(x(selected) < width / 2 ? { left: x(selected) } : { right: width - x(selected) }),
          }}
        >
          <strong style={{ color: ratingColor(shown.rating) }}>{shown.score}</strong> {shown.rating ?? 'of 100'} ·{' '}
          {formatTime(shown.at)}
        </p>
      )}
    </figure>
  )
}

function Axis({
  width,
  y,
  first,
  last,
}: {
  width: number
  y: (score: number) => number
  first: TrendPoint | undefined
  last: TrendPoint | undefined
}) {
  return (
    <>
      {[0, 50, 100].map((score) => (
        <g key={score}>
          <line x1={left} x2={width} y1={y(score)} y2={y(score)} stroke="var(--line)" />
          <text x={left - 6} y={y(score) + 4} textAnchor="end" fontSize="11" fill="var(--soft)">
            {score}
          </text>
        </g>
      ))}
      {first && (
        <text x={left} y={height - 4} fontSize="11" fill="var(--soft)">
          {endWords(first.at, last?.at)}
        </text>
      )}
      {last && (
        <text x={width} y={height - 4} fontSize="11" textAnchor="end" fill="var(--soft)">
          {endWords(last.at, first?.at)}
        </text>
      )}
    </>
  )
}

/** The room there is, so that letters have the same size in a wide chart and in a narrow one. */
export function useWidth() {
  const box = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(256)
  useEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(() => setWidth(Math.max(160, current.clientWidth)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
