import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { ResponseOf } from '../api/client.ts'
import { allCounts, openIn } from '../components/all-counts.ts'
import { formatAgo, formatTime } from '../components/format.ts'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { ratingColor, shownRating } from '../components/rating-color.ts'
import { SeverityBar } from '../components/severity-bar.tsx'
import { WhoMay } from '../components/who-may.tsx'
import { scanRow as texts } from '../messages/history.ts'
import { GateMark } from '../projects/gate-mark.tsx'

export type ListedScan = ResponseOf<'GET /api/v1/scans'>['data']['scans'][number]

/** One scan in a list: a row on a wide screen, a card on a phone. */
export function ScanRow({
  scan,
  isChosen,
  onChoose,
  onDelete,
}: {
  scan: ListedScan
  isChosen: boolean
  onChoose: () => void
  onDelete: () => void
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <input
        type="checkbox"
        className="size-4 accent-(--accent)"
        aria-label={texts.selectScanComparison(scan.fileName, scan.createdAt)}
        checked={isChosen}
        onChange={onChoose}
      />
      <ScanSummary scan={scan} />
      <Menu label={<Ellipsis size={16} aria-hidden="true" />} look="quiet" name={texts.moreScan(scan.fileName)}>
        <Link to="/scans/$scanId" params={{ scanId: scan.scanId }} className={menuEntryClass}>
          Open
        </Link>
        <Link to="/compare" search={{ after: scan.scanId }} className={menuEntryClass}>
          Compare
        </Link>
        <WhoMay least="member">
          <button type="button" className={`${menuEntryClass} text-critical`} onClick={onDelete}>
            Delete
          </button>
        </WhoMay>
      </Menu>
    </li>
  )
}

/** The same without anything to do: for lists beside other things. */
export function ScanLine({ scan, facts }: { scan: ListedScan; facts?: readonly string[] }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <ScanSummary scan={scan} facts={facts} />
    </li>
  )
}

/** `facts`: in place of its project and branch. */
function ScanSummary({ scan, facts }: { scan: ListedScan; facts?: readonly string[] | undefined }) {
  const { securityScore } = scan
  const counts = allCounts(scan)
  const rating = securityScore
    ? shownRating({ completeness: scan.completeness ?? 'full', securityScore }, openIn(scan))
    : null
  return (
    <>
      <span
        className="w-10 text-right text-lg font-semibold tabular-nums"
        style={securityScore ? { color: ratingColor(rating) } : {}}
      >
        {securityScore?.score ?? '–'}
      </span>
      <span className="min-w-0 flex-1 break-words">
        <Link to="/scans/$scanId" params={{ scanId: scan.scanId }} className="font-medium text-accent underline">
          {scan.fileName}
        </Link>
        {scan.kind === 'ai' && <Badge>AI</Badge>}
        {scan.completeness === 'partial' && <Badge>partial</Badge>}
        {scan.gate && (
          <span className="ml-2">
            <GateMark gate={scan.gate} />
          </span>
        )}
        <span className="block text-xs text-soft">
          <time dateTime={scan.createdAt} title={formatTime(scan.createdAt)}>
            {formatAgo(scan.createdAt)}
          </time>
          {securityScore ? rating !== null && texts.score(rating) : ` · ${scan.status}`}
          {facts?.map((fact) => ` · ${fact}`)}
          {!facts && scan.project !== null && ` · ${scan.project}`}
          {!facts && scan.ref !== null && ` (${scan.ref})`}
          {scan.via === 'key' && texts.apiKey}
        </span>
      </span>
      <span className="max-sm:order-last max-sm:w-full max-sm:pl-14 sm:w-72">
        {counts ? <SeverityBar counts={counts} /> : scan.reason}
      </span>
    </>
  )
}

const Badge = ({ children }: { children: string }) => (
  <span className="ml-2 rounded border border-line px-1 text-xs text-soft">{children}</span>
)
