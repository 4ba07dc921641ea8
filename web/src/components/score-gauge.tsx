import { scoreGauge as texts } from '../messages/components.ts'
import { ratingColor } from './rating-color.ts'

/** The score as an arc of 270°, coloured by its rating; the number itself is text for every reader. */
export function ScoreGauge({ score, rating }: { score: number; rating: string | null }) {
  const radius = 52
  const arc = 2 * Math.PI * radius * 0.75
  return (
    <figure className="inline-flex flex-col items-center" aria-label={texts.securityScore(score, rating)}>
      <svg viewBox="0 0 120 120" width={64} height={64} aria-hidden="true">
        <g fill="none" strokeWidth="10" strokeLinecap="round" transform="rotate(135 60 60)">
          <circle cx="60" cy="60" r={radius} stroke="var(--sunken)" strokeDasharray={`${arc} 999`} />
          <circle
            cx="60"
            cy="60"
            r={radius}
            stroke={ratingColor(rating)}
            strokeDasharray={`${(arc * shareShown(score)) / 100} 999`}
          />
        </g>
        <text x="60" y="70" textAnchor="middle" fontSize="30" fontWeight="650" fill="var(--ink)">
          {score}
        </text>
      </svg>
    </figure>
  )
}

/** Nothing left is the most severe answer there is: it fills the ring instead of leaving it empty. */
const shareShown = (score: number): number => (score === 0 ? 100 : score)
