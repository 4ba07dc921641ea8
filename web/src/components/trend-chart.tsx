import { Link } from '@tanstack/react-router'
import { formatTime } from './format.ts'
import { ratingColor } from './rating-color.ts'

export interface TrendPoint {
  scanId: string
  at: string
  score: number
  rating: string
}

const width = 420
const height = 150
const left = 30
const bottom = 22
const top = 10

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Scores over time, oldest first: each point opens its scan, and says date and score to every reader. */
export function TrendChart({ name, points }: { name: string; points: readonly TrendPoint[] }) {
  const x = (index: number) =>
    points.length < 2 ? (width + left) / 2 : left + 10 + (index * (width - left - 20)) / (points.length - 1)
  const y = (score: number) => top + ((100 - score) * (height - top - bottom)) / 100
  const path = points
    .map((point, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(point.score).toFixed(1)}`)
    .join(' ')
  const first = points[0]
  const last = points.at(-1)
  return (
    <figure aria-label={`Scores of ${name} over time`}>
      <svg viewBox={`0 0 ${width} ${height}`} className="w-full" role="presentation">
        {[0, 50, 100].map((score) => (
          <g key={score}>
            <line x1={left} x2={width} y1={y(score)} y2={y(score)} stroke="var(--line)" />
            <text x={left - 6} y={y(score) + 4} textAnchor="end" fontSize="11" fill="var(--soft)">
              {score}
            </text>
          </g>
        ))}
        <path d={path} fill="none" stroke="var(--accent)" strokeWidth="2" />
        {points.map((point, index) => (
          <Link
            key={point.scanId}
            to="/scans/$scanId"
            params={{ scanId: point.scanId }}
            aria-label={`${formatTime(point.at)}: ${point.score}, ${point.rating}`}
          >
            <circle cx={x(index)} cy={y(point.score)} r="5" fill={ratingColor(point.rating)}>
              <title>{`${formatTime(point.at)}: ${point.score} ${point.rating}`}</title>
            </circle>
          </Link>
        ))}
        {first && (
          <text x={left} y={height - 4} fontSize="11" fill="var(--soft)">
            {day.format(new Date(first.at))}
          </text>
        )}
        {last && points.length > 1 && (
          <text x={width} y={height - 4} fontSize="11" textAnchor="end" fill="var(--soft)">
            {day.format(new Date(last.at))}
          </text>
        )}
      </svg>
    </figure>
  )
}
