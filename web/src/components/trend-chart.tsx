import { ratingColor } from './score-gauge.tsx'

export interface TrendPoint {
  at: string
  score: number
  rating: string
}

/** Scores over time as a small line; the same numbers stand in the title for readers who do not see it. */
export function TrendChart({ name, points }: { name: string; points: readonly TrendPoint[] }) {
  const width = 320
  const height = 72
  const x = (index: number) => (points.length < 2 ? width / 2 : 8 + (index * (width - 16)) / (points.length - 1))
  const y = (score: number) => 8 + ((100 - score) * (height - 16)) / 100
  const path = points
    .map((point, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(point.score).toFixed(1)}`)
    .join(' ')
  const words = points.map((point) => `${point.at.slice(0, 10)}: ${point.score}`).join(', ')
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Score trend of ${name}: ${words}`}
      className="w-full max-w-sm"
    >
      <line x1="0" x2={width} y1={y(0)} y2={y(0)} stroke="var(--line)" />
      <line x1="0" x2={width} y1={y(100)} y2={y(100)} stroke="var(--line)" strokeDasharray="3 4" />
      <path d={path} fill="none" stroke="var(--accent)" strokeWidth="2" />
      {points.map((point, index) => (
        <circle key={point.at} cx={x(index)} cy={y(point.score)} r="3.5" fill={ratingColor(point.rating)} />
      ))}
    </svg>
  )
}
