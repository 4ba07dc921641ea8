import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLogout, useMe } from '../api/session.ts'
import { useWaiting } from '../api/waiting.ts'
import { Button, buttonClass } from './controls.tsx'
import { LogInAgain } from './log-in-again.tsx'
import { QuotaLeft } from './quota-left.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

const ownPages = [
  ['/home', 'Home'],
  ['/scan', 'Scan'],
  ['/scans', 'History'],
  ['/keys', 'Keys'],
  ['/plan', 'Plan'],
  ['/webhooks', 'Webhooks'],
] as const
const openPages = [
  ['/detectors', 'Detectors'],
  ['/reference', 'API'],
] as const

export function Layout() {
  const me = useMe()
  const [open, setOpen] = useState(false)
  const pages = me.data ? [...ownPages, ...openPages] : openPages
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:bg-panel focus:p-3">
        Skip to the content
      </a>
      <header className="sticky print:hidden top-0 z-10 border-b border-line bg-panel/95 backdrop-blur">
        <div className="mx-auto flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 sm:px-6">
          <Link to="/" className="flex items-center gap-2 font-semibold">
            <img src="/favicon.svg" alt="" width="26" height="26" />
            Assay
          </Link>
          <Button
            look="quiet"
            className="ml-auto lg:hidden"
            aria-expanded={open}
            aria-controls="site-nav"
            onClick={() => setOpen(!open)}
          >
            Menu
          </Button>
          <nav
            id="site-nav"
            aria-label="Main"
            className={`${open ? 'flex' : 'hidden'} w-full flex-col gap-1 lg:flex lg:w-auto lg:flex-1 lg:flex-row lg:items-center`}
          >
            {pages.map(([to, label]) => (
              <Link
                key={to}
                to={to}
                onClick={() => setOpen(false)}
                className="rounded px-2 py-1.5 text-sm text-soft hover:text-ink"
                activeProps={{ className: 'rounded px-2 py-1.5 text-sm font-medium text-ink bg-sunken' }}
              >
                {label}
              </Link>
            ))}
            <span className="flex flex-wrap items-center gap-2 lg:ml-auto lg:flex-nowrap">
              {me.data && <QuotaLeft userId={me.data.userId} />}
              <ThemeToggle />
              {me.data ? <Account email={me.data.email} /> : !me.isPending && <Entrance />}
            </span>
          </nav>
        </div>
      </header>
      <Waiting />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <LogInAgain me={me.data ?? null} />
      <Footer />
    </div>
  )
}

const footerLinks = [
  ['/detectors', 'What it finds'],
  ['/reference', 'API'],
  ['/docs', 'Reference'],
  ['/openapi.json', 'OpenAPI'],
  ['/status', 'Status'],
] as const

function Footer() {
  return (
    <footer className="mt-10 border-t border-line px-4 py-6 text-xs text-soft print:hidden sm:px-6">
      <div className="mx-auto flex max-w-6xl flex-wrap justify-between gap-x-8 gap-y-3">
        <p>Assay is open source under the MIT licence. A scan is evidence, not a proof.</p>
        <nav aria-label="More" className="flex flex-wrap gap-x-4 gap-y-2">
          {footerLinks.map(([href, label]) => (
            <a key={href} href={href} className="underline">
              {label}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}

/** What the page does by itself while the reader waits. */
function Waiting() {
  const words = useWaiting()
  return (
    <p role="status" className={words ? 'bg-accent-soft px-4 py-2 text-center text-sm' : 'sr-only'}>
      {words}
    </p>
  )
}

function Entrance() {
  return (
    <>
      <Link to="/login" className={buttonClass('quiet')}>
        Log in
      </Link>
      <Link to="/register" className={buttonClass('primary')}>
        Sign up
      </Link>
    </>
  )
}

function Account({ email }: { email: string }) {
  const logout = useLogout()
  const navigate = useNavigate()
  return (
    <>
      <Link to="/account" className={`${buttonClass('quiet')} max-w-44`} title={email}>
        <span className="truncate">{email}</span>
      </Link>
      <Button
        busy={logout.isPending}
        onClick={() => logout.mutate(undefined, { onSuccess: () => navigate({ to: '/' }) })}
      >
        Log out
      </Button>
    </>
  )
}
