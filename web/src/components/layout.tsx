import { Link, Outlet } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { useOnline } from '../api/online.ts'
import { useLogout, useMe } from '../api/session.ts'
import { readSite } from '../api/site.ts'
import { useWaiting } from '../api/waiting.ts'
import { layout as texts } from '../messages/components.ts'
import { OrganizationSwitcher } from '../organization/switcher.tsx'
import { Button, buttonClass } from './controls.tsx'
import type { Me } from './guarded.tsx'
import { LogInAgain } from './log-in-again.tsx'
import { Menu, menuEntryClass } from './menu.tsx'
import { PaletteHost } from './palette-host.tsx'
import { QuotaLeft } from './quota-left.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

const ownPages = [
  ['/home', 'Home'],
  ['/projects', 'Projects'],
  ['/findings', 'Findings'],
  ['/scan', 'Scan'],
  ['/scans', 'History'],
  ['/keys', 'Keys'],
  ['/webhooks', 'Webhooks'],
] as const
const openPages = [
  ['/detectors', 'Detectors'],
  ['/docs', 'API'],
] as const

const linkClass = 'rounded px-2 py-1.5 text-sm text-soft hover:text-ink'
const currentClass = 'rounded px-2 py-1.5 text-sm font-medium text-ink bg-sunken'

export function Layout() {
  const me = useMe({ isOpenPage: true })
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:bg-panel focus:p-3">
        {texts.skipMainContent}
      </a>
      <Header me={me.data ?? null} isKnown={!me.isPending} />
      <Waiting />
      <main id="main" tabIndex={-1} className="site-main flex-1 outline-none">
        <Outlet />
      </main>
      <LogInAgain me={me.data ?? null} />
      <Footer />
    </div>
  )
}

/** One row at any width: below 1024 pixels the pages stand in a list that opens under it. */
function Header({ me, isKnown }: { me: Me | null; isKnown: boolean }) {
  const [open, setOpen] = useState(false)
  const pages = me ? [...ownPages, ...openPages] : openPages
  return (
    <header className="sticky print:hidden top-0 z-10 border-b border-line bg-panel/95 backdrop-blur">
      <div className="mx-auto flex h-13 items-center gap-2 px-4 sm:px-6 lg:gap-4">
        <Link
          to={me ? '/home' : '/'}
          reloadDocument={!me}
          aria-label="Assay"
          className="flex items-center gap-2 font-semibold"
        >
          <Logo />
          <span className={me ? 'max-xl:hidden' : ''}>Assay</span>
        </Link>
        {me && <OrganizationSwitcher me={me} />}
        <nav
          id="site-nav"
          aria-label="Main"
          className={`${open ? 'flex' : 'hidden'} absolute inset-x-0 top-full flex-col gap-1 border-b border-line bg-panel px-4 py-3 shadow-lg lg:static lg:flex lg:flex-row lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none`}
        >
          {pages.map(([to, label]) => (
            <Link
              key={to}
              to={to}
              onClick={() => setOpen(false)}
              className={linkClass}
              activeProps={{ className: currentClass }}
            >
              {label}
            </Link>
          ))}
          {isKnown && !me && (
            <Link to="/login" onClick={() => setOpen(false)} className={`${linkClass} sm:hidden`}>
              Log in
            </Link>
          )}
        </nav>
        <span className="ml-auto flex items-center gap-1 sm:gap-2">
          {me && <QuotaLeft userId={me.userId} />}
          <PaletteHost me={me} pages={pages} />
          <ThemeToggle />
          {me ? <Account email={me.email} /> : isKnown && <Entrance />}
          <Button
            look="quiet"
            className="lg:hidden"
            aria-expanded={open}
            aria-controls="site-nav"
            onClick={() => setOpen(!open)}
          >
            Menu
          </Button>
        </span>
      </div>
    </header>
  )
}

/** As in `favicon.svg`: in the page it costs no request. */
const Logo = () => (
  <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" className="h-auto max-w-full">
    <rect width="32" height="32" rx="7" fill="#0f766e" />
    <path
      d="M9 24 16 7l7 17M12 18h8"
      fill="none"
      stroke="#fff"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

const footerLinks = [
  { href: '/detectors', label: 'Detectors' },
  { href: '/docs', label: 'API reference' },
  { href: '/openapi.json', label: 'OpenAPI' },
  { href: '/status', label: 'Status' },
]

function Footer() {
  return (
    <footer className="site-footer mt-10 border-t border-line py-6 text-xs text-soft print:hidden">
      <div className="mx-auto flex max-w-6xl flex-wrap justify-between gap-x-8 gap-y-3 px-4 sm:px-6">
        <p>{texts.assayOpenSourceUnder}</p>
        <nav aria-label="More" className="flex flex-wrap gap-x-4 gap-y-2">
          {[...footerLinks, ...readSite().links].map(({ href, label }) => (
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
  const isConnected = useOnline()
  const waiting = useWaiting()
  const words = isConnected ? waiting : texts.offline
  return (
    <p role="status" className={words ? 'bg-accent-soft px-4 py-2 text-center text-sm' : 'sr-only'}>
      {words}
    </p>
  )
}

function Entrance() {
  return (
    <>
      <Link to="/login" className={`${buttonClass('quiet')} max-sm:hidden`}>
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
  return (
    <Menu
      look="quiet"
      name={`Account of ${email}`}
      label={
        <>
          <span className="max-w-44 truncate max-xl:hidden">{email}</span>
          <UserRound size={16} aria-hidden="true" className="xl:hidden" />
        </>
      }
    >
      <p className="truncate border-b border-line px-3 py-2 text-xs text-soft xl:hidden">{email}</p>
      <Link to="/account" className={menuEntryClass}>
        Account
      </Link>
      <button type="button" className={menuEntryClass} onClick={() => logout.mutate()}>
        Log out
      </button>
    </Menu>
  )
}
