import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../server/src/stores/schema.ts'

export interface Size {
  readonly scans: number
  readonly findings: number
  readonly accounts: number
}

export const NOW = Date.UTC(2026, 2, 10, 12)
const DAY_MS = 86_400_000
export const FIRST = 'usr_1'
export const IDLE = 'usr_2'
export const PROJECTS = 40

/** A third belongs to the first account, and of the older half a third to the second, which has been idle since; the rest to all in turn. */
const owner = (n: string, of: number) =>
  sql.raw(`case when ${n} % 3 = 0 then 'usr_1' when ${n} % 3 = 1 and ${n} < ${of / 2} then 'usr_2'
    else 'usr_' || (3 + ${n} % ((select count(*) from accounts) - 2)) end`)

/** Rows by the database itself; ids sort by time, as those of the service do. */
export async function fillInstallation(db: Kysely<Schema>, { scans, findings, accounts }: Size): Promise<void> {
  const at = (n: string, of: number) =>
    sql.raw(`(${NOW} - 80 * ${DAY_MS}::bigint + (${n}::bigint * 80 * ${DAY_MS} / ${of}))`)
  // Every reference is right by construction; looking each of them up takes most of the time.
  await sql`set session_replication_role = replica`.execute(db)
  await sql`set synchronous_commit = off`.execute(db)
  const perScan = Math.max(1, Math.floor(findings / scans))
  await sql`insert into accounts (id, email, name, password_hash, verified_at, plan, plan_since, created_at, kind)
    select 'usr_' || n, 'a' || n || '@example.com', 'A', '', 0, 'pro', 0, 0, 'person'
    from generate_series(1, ${sql.lit(accounts)}) n`.execute(db)
  await sql`insert into scans (id, account_id, kind, status, file_name, size_bytes, score, rating, total, critical, high, medium,
      low, completeness, created_at, sha256, engine_version, via, expires_at)
    select 'scn_' || lpad(n::text, 9, '0'), ${owner('n', scans)}, 'standard', 'completed', 'Contract' || n % 500 || '.sol', 1000, 80, 'B', 3,
      0, 1, 1, 1, 'full', ${at('n', scans)}, '', '1', 'key', ${at('n', scans)} + 90 * ${sql.lit(DAY_MS)}::bigint
    from generate_series(1, ${sql.lit(scans)}) n`.execute(db)
  await sql`insert into scan_labels (scan_id, account_id, project, ref)
    select id, account_id, 'project-' || substr(id, 5)::int % ${sql.lit(PROJECTS)}, 'main' from scans`.execute(db)
  await sql`insert into projects (id, account_id, name, default_ref, created_at)
    select distinct 'prj_' || account_id || project, account_id, project, 'main', 0 from scan_labels`.execute(db)
  await sql`insert into findings (id, account_id, project, file, fingerprint, kind, vulnerability_id, detector, severity, confidence,
      title, message, line, state, first_scan_id, first_seen_at, last_scan_id, last_seen_at)
    select 'fnd_' || substr(s.id, 5) || lpad(k::text, 4, '0'), s.account_id, l.project, s.file_name, md5(s.id || k), 'vulnerability',
      'SWC-107', 'detector-' || k % 30, (array['low', 'medium', 'high', 'info'])[1 + k % 4], 'high', 'Title', 'Message of some length.', k,
      (array['open', 'open', 'open', 'open', 'fixed', 'accepted'])[1 + (substr(s.id, 5)::int + k) % 6], s.id, s.created_at, s.id, s.created_at
    from scans s join scan_labels l on l.scan_id = s.id, generate_series(1, ${sql.lit(perScan)}) k`.execute(db)
  await sql`insert into finding_refs (finding_id, ref, state, last_scan_id, last_seen_at, observed_at, observation)
    select id, 'main', case state when 'fixed' then 'fixed' else 'open' end, last_scan_id, last_seen_at, last_seen_at, last_scan_id
    from findings`.execute(db)
  await sql`insert into scan_requests (id, account_id, kind, status, file_name, size_bytes, options, rank, day, scans_today, holds_place,
      attempts, files_done, files_total, revision, created_at, expires_at)
    select 'scn_q' || lpad(n::text, 9, '0'), ${owner('n', scans)}, 'standard', case when n % 200 = 0 then 'queued' else 'completed' end, 'A.sol', 1,
      '{}', 1, 0, 1, 0, 0, 0, 0, 1, ${at('n', scans)}, ${at('n', scans)} + 90 * ${sql.lit(DAY_MS)}::bigint
    from generate_series(1, ${sql.lit(scans)}) n`.execute(db)
  await sql`insert into security_events (id, account_id, kind, address, user_agent, at)
    select 'evt_' || lpad(n::text, 9, '0'), ${owner('n', scans)}, 'login', '10.0.0.1', '', ${at('n', scans)}
    from generate_series(1, ${sql.lit(scans)}) n`.execute(db)
  await sql`set session_replication_role = origin`.execute(db)
  await sql`vacuum analyze`.execute(db)
}
