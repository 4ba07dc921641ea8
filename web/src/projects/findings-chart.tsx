import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { endWords } from '../components/end-words.ts'
import { formatTime } from '../components/format.ts'
import { severities, severityColor } from '../components/severities.ts'
import { sharesOfTime } from '../components/shares-of-time.ts'
import { useWidth } from '../components/trend-chart.tsx'
import { findingsChart as texts } from '../messages/projects.ts'
import type { CountedScan } from './open-and-fixed.ts'

const height = 200
const left = 36
const right = 12
const top = 10
const bottom = 22
const narrowestBar = 3
const widestBar = 28

/** What each scan found, stacked by severity along the time, and what was fixed by then as a line. */
export function FindingsChart({ name, scans }: { name: string; scans: readonly CountedScan[] }) {
  const [box, width] = useWidth()
  const [selected, setSelected] = useState<number | null>(null)
  const shares = sharesOfTime(scans.map(({ at }) => Date.parse(at)))
  const most = niceMost(Math.max(1, ...scans.map(({ total, fixed }) => Math.max(total, fixed))))
  const bar = Math.max(
    narrowestBar,
    Math.min(widestBar, (width - left - right) / scans.length - 2, closest(shares) * (width - left - right) - 1),
  )
  const x = (index: number) => left + bar / 2 + 4 + (shares[index] ?? 0.5) * (width - left - right - bar - 8)
  const y = (count: number) => top + (1 - count / most) * (height - top - bottom)
  const line = scans.map(({ fixed }, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(fixed).toFixed(1)}`)
  const shown = selected === null ? undefined : scans[selected]
  const present = severities.filter((severity) => scans.some(({ bySeverity }) => bySeverity[severity] > 0))
  return (
    <figure ref={box} aria-label={texts.label(name)} className="relative">
      <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
        {present.map((severity) => (
          <span key={severity} className="inline-flex items-center gap-1.5 capitalize">
            <span aria-hidden="true" className="size-2.5 rounded-sm" style={{ background: severityColor[severity] }} />
            {severity}
          </span>
        ))}
        {scans.some(({ outsideSwc }) => outsideSwc > 0) && (
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2.5 rounded-sm bg-field" />
            {texts.outsideSwc}
          </span>
        )}
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className="h-0.5 w-4 bg-good" />
          {texts.fixedSoFar}
        </span>
      </figcaption>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="block" role="presentation">
        {[0, most / 2, most].filter(Number.isInteger).map((count) => (
          <g key={count}>
            <line x1={left} x2={width} y1={y(count)} y2={y(count)} stroke="var(--line)" />
            <text x={left - 6} y={y(count) + 4} textAnchor="end" fontSize="11" fill="var(--soft)">
              {count}
            </text>
          </g>
        ))}
        {scans.map((scan, index) => (
          <Link
            key={scan.scanId}
            to="/scans/$scanId"
            params={{ scanId: scan.scanId }}
            aria-label={texts.scan(formatTime(scan.at), wordsOf(scan), scan.fixed)}
            onPointerEnter={() => setSelected(index)}
            onPointerLeave={() => setSelected(null)}
            onFocus={() => setSelected(index)}
            onBlur={() => setSelected(null)}
          >
            <rect
              x={x(index) - Math.max(bar, 24) / 2}
              y={top}
              width={Math.max(bar, 24)}
              height={height - top - bottom}
              fill="transparent"
            />
            <Stack scan={scan} x={x(index) - bar / 2} width={bar} y={y} />
          </Link>
        ))}
        {scans.length > 1 && (
          <path d={line.join(' ')} fill="none" stroke="var(--good)" strokeWidth="2" pointerEvents="none" />
        )}
        {scans[0] && (
          <text x={left} y={height - 4} fontSize="11" fill="var(--soft)">
            {endWords(scans[0].at, scans.length > 1 ? scans.at(-1)?.at : undefined)}
          </text>
        )}
        {scans.length > 1 && (
          <text x={width} y={height - 4} fontSize="11" textAnchor="end" fill="var(--soft)">
            {endWords(scans.at(-1)?.at ?? '', scans[0]?.at)}
          </text>
        )}
      </svg>
      {shown && selected !== null && (
        <p
          role="tooltip"
          className="pointer-events-none absolute z-10 rounded-md border border-line bg-panel px-2 py-1 text-xs whitespace-nowrap shadow-lg"
          style={{
            top: 28,
            ...(x(selected) < width / 2 ? { left: x(selected) + 16 } : { right: width - x(selected) + 16 }),
          }}
        >
          <strong>{formatTime(shown.at)}</strong>
          <br />
          {wordsOf(shown)} · {texts.fixed(shown.fixed)}
        </p>
      )}
    </figure>
  )
}

function Stack({ scan, x, width, y }: { scan: CountedScan; x: number; width: number; y: (count: number) => number }) {
  let below = 0
  // The most severe stands on the axis, where lengths compare best.
  const parts = [
    ...severities.map((severity) => [scan.bySeverity[severity], severityColor[severity]] as const),
    [scan.outsideSwc, 'var(--field)'] as const,
  ]
  return parts.map(([count, color]) => {
    const from = below
    below += count
    return count > 0 && <rect key={color} x={x} y={y(below)} width={width} height={y(from) - y(below)} fill={color} />
  })
}

const wordsOf = ({ bySeverity, outsideSwc, total }: CountedScan): string =>
  total === 0
    ? texts.nothingFound
    : [
        ...severities
          .filter((severity) => bySeverity[severity] > 0)
          .map((severity) => `${bySeverity[severity]} ${severity}`),
        ...(outsideSwc > 0 ? [`${outsideSwc} ${texts.outsideSwc.toLowerCase()}`] : []),
      ].join(', ')

/** The smallest distance of two neighbors, as a part of the whole. */
const closest = (shares: readonly number[]): number =>
  Math.min(1, ...shares.slice(1).map((share, index) => share - (shares[index] ?? 0)))

/** The end of the axis: 2, 4, 10, 20, 40, 100 … so that its half is a whole number. */
function niceMost(count: number): number {
  for (let ten = 1; ; ten *= 10) for (const step of [2, 4, 10]) if (step * ten >= count) return step * ten
}
