import { Link } from '@tanstack/react-router'
import { sinceLastTime as texts } from '../messages/compare.ts'
import { isSetAside, type Triage } from '../result/decisions.ts'
import type { ViewScan } from '../result/scan-view.ts'
import { compareFindings, comparisonWords, previousScan } from './compare-findings.ts'
import { useRecentScans, useScan } from './use-scans.ts'

/** What changed since the scan of the same file before this one. Nothing where there was none, or while it is on its way. */
export function SinceLastTime({
  scan,
  scanId,
  triage,
}: {
  scan: ViewScan
  scanId: string
  triage: Triage | undefined
}) {
  const recent = useRecentScans()
  const before = previousScan(recent.data?.data.scans ?? [], scanId)?.scanId
  const old = useScan(before)
  if (!before || !old.data || !triage) return null
  const comparison = compareFindings(old.data.data, scan, (finding) =>
    isSetAside({ state: triage.recordOf(finding)?.state }),
  )
  return (
    <p className="text-sm text-soft">
      {texts.sinceLastScan}{' '}
      <Link to="/compare" search={{ before, after: scanId }} className="text-accent underline">
        {comparisonWords(comparison)}
      </Link>
    </p>
  )
}
