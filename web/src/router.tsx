import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { partOf, useOnline } from './api/online.ts'
import { ComingPage } from './components/coming-page.tsx'
import { Layout } from './components/layout.tsx'
import { Failure, Page } from './components/surfaces.tsx'
import { readFindingsSearch } from './findings/findings-search.ts'
import { readHistorySearch } from './history/history-search.ts'
import { takeInvitationToken } from './join/invitation-token.ts'
import { router as texts } from './messages/program.ts'
import { readProjectsSearch } from './projects/projects-search.ts'
import { readResultSearch } from './result/url-state.ts'

const root = createRootRoute({
  component: Layout,
  notFoundComponent: () => <Page title={texts.pageNotFound}>{texts.checkUrlUseMenu}</Page>,
})

const part = <T,>(loading: Promise<T>): Promise<T> => partOf(loading, texts.offlinePart)

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The first page is no part of the application: it is loaded anew. */
const landing = createRoute({ getParentRoute: () => root, path: '/', component: Landing })

function Landing() {
  useEffect(() => location.reload(), [])
  return null
}

const tryOut = createRoute({
  getParentRoute: () => root,
  path: '/try',
  component: lazyRouteComponent(() => part(import('./pages/try.tsx')), 'TryPage'),
  pendingComponent: () => <ComingPage shape="editor" />,
})

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyRouteComponent(() => part(import('./pages/register.tsx')), 'RegisterPage'),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  validateSearch: (search): { email?: string } => ({
    ...(text(search.email) && { email: text(search.email) as string }),
  }),
  component: lazyRouteComponent(() => part(import('./pages/verify.tsx')), 'VerifyPage'),
})
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { next?: string; email?: string } => ({
    ...(text(search.next) && { next: text(search.next) as string }),
    ...(text(search.email) && { email: text(search.email) as string }),
  }),
  component: lazyRouteComponent(() => part(import('./pages/login.tsx')), 'LoginPage'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$provider',
  component: lazyRouteComponent(() => part(import('./pages/sign-in.tsx')), 'SignInPage'),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => part(import('./pages/forgot-password.tsx')), 'ForgotPasswordPage'),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => part(import('./pages/reset-password.tsx')), 'ResetPasswordPage'),
})
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  // Before the page itself is loaded: by then a reader may have gone on to the log-in.
  beforeLoad: () => void takeInvitationToken(location.hash, sessionStorage),
  component: lazyRouteComponent(() => part(import('./pages/join.tsx')), 'JoinPage'),
})
const shared = createRoute({
  getParentRoute: () => root,
  path: '/shared',
  validateSearch: readResultSearch,
  component: lazyRouteComponent(() => part(import('./pages/shared.tsx')), 'SharedPage'),
  pendingComponent: () => <ComingPage shape="result" />,
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => part(import('./pages/account.tsx')), 'AccountPage'),
  pendingComponent: () => <ComingPage shape="sections" />,
})
const home = createRoute({
  getParentRoute: () => root,
  path: '/home',
  component: lazyRouteComponent(() => part(import('./pages/home.tsx')), 'HomePage'),
  pendingComponent: () => <ComingPage shape="home" />,
})
const scan = createRoute({
  getParentRoute: () => root,
  path: '/scan',
  validateSearch: (search): { from?: 'address' | 'repository' | 'batch' } =>
    search.from === 'address' || search.from === 'repository' || search.from === 'batch' ? { from: search.from } : {},
  component: lazyRouteComponent(() => part(import('./pages/scan.tsx')), 'ScanPage'),
  pendingComponent: () => <ComingPage shape="editor" />,
})
const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$batchId',
  component: lazyRouteComponent(() => part(import('./pages/batch.tsx')), 'BatchPage'),
  pendingComponent: () => <ComingPage shape="rows" />,
})
const scans = createRoute({
  getParentRoute: () => root,
  path: '/scans',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => part(import('./pages/history.tsx')), 'HistoryPage'),
  pendingComponent: () => <ComingPage shape="history" />,
})
const scanResult = createRoute({
  getParentRoute: () => root,
  path: '/scans/$scanId',
  validateSearch: readResultSearch,
  component: lazyRouteComponent(() => part(import('./pages/scan-result.tsx')), 'ScanResultPage'),
  pendingComponent: () => <ComingPage shape="result" />,
})
const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  validateSearch: readProjectsSearch,
  component: lazyRouteComponent(() => part(import('./pages/projects.tsx')), 'ProjectsPage'),
  pendingComponent: () => <ComingPage shape="history" />,
})
const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => part(import('./pages/project.tsx')), 'ProjectPage'),
  pendingComponent: () => <ComingPage shape="home" />,
})
const findings = createRoute({
  getParentRoute: () => root,
  path: '/findings',
  validateSearch: readFindingsSearch,
  component: lazyRouteComponent(() => part(import('./pages/findings.tsx')), 'FindingsPage'),
  pendingComponent: () => <ComingPage shape="history" />,
})
const organization = createRoute({
  getParentRoute: () => root,
  path: '/organization',
  component: lazyRouteComponent(() => part(import('./pages/organization.tsx')), 'OrganizationPage'),
  pendingComponent: () => <ComingPage shape="sections" />,
})
const newOrganization = createRoute({
  getParentRoute: () => root,
  path: '/organization/new',
  component: lazyRouteComponent(() => part(import('./pages/organization.tsx')), 'NewOrganizationPage'),
  pendingComponent: () => <ComingPage shape="form" />,
})
const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: (search): { before?: string; after?: string } => ({
    ...(text(search.before) && { before: text(search.before) as string }),
    ...(text(search.after) && { after: text(search.after) as string }),
  }),
  component: lazyRouteComponent(() => part(import('./pages/compare.tsx')), 'ComparePage'),
  pendingComponent: () => <ComingPage shape="comparison" />,
})
const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => part(import('./pages/keys.tsx')), 'KeysPage'),
  pendingComponent: () => <ComingPage shape="form" />,
})
const plan = createRoute({
  getParentRoute: () => root,
  path: '/plan',
  component: lazyRouteComponent(() => part(import('./pages/plan.tsx')), 'PlanPage'),
  pendingComponent: () => <ComingPage shape="plan" />,
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => part(import('./pages/webhooks.tsx')), 'WebhooksPage'),
  pendingComponent: () => <ComingPage shape="form" />,
})
const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => part(import('./pages/webhook.tsx')), 'WebhookPage'),
  pendingComponent: () => <ComingPage shape="rows" />,
})
const detectors = createRoute({
  getParentRoute: () => root,
  path: '/detectors',
  component: lazyRouteComponent(() => part(import('./pages/detectors.tsx')), 'DetectorsPage'),
  pendingComponent: () => <ComingPage shape="rows" />,
})
const detector = createRoute({
  getParentRoute: () => root,
  path: '/detectors/$detectorId',
  component: lazyRouteComponent(() => part(import('./pages/detector.tsx')), 'DetectorPage'),
  pendingComponent: () => <ComingPage shape="article" />,
})
const referencePage = lazyRouteComponent(() => part(import('./pages/reference.tsx')), 'ReferencePage')
const comingReference = () => <ComingPage shape="columns" />
const reference = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  component: referencePage,
  pendingComponent: comingReference,
})
const referenceSection = createRoute({
  getParentRoute: () => root,
  path: '/docs/$section',
  component: referencePage,
  pendingComponent: comingReference,
})
/** Where the reference was before. */
const oldReference = createRoute({
  getParentRoute: () => root,
  path: '/reference',
  beforeLoad: () => {
    throw redirect({ to: '/docs', replace: true })
  },
})

/**
 * A part of the application that does not come is requested again, and once more after a reload: `lazyRouteComponent` does
 * both, and only for a page that is opened, so that pointing at a link never costs what was typed. What a browser says when a part of the application does not come is
 * about modules, not about what to do.
 */
const isLostPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
const lostPart = texts.partPageCouldNot

/** Offline there is no "Try again": it would replace the application by the browser's own error page. */
function BrokenPage({ error }: { error: unknown }) {
  const isConnected = useOnline()
  const [wasOffline] = useState(!isConnected)
  // What the connection kept away is there once it is back.
  useEffect(() => {
    if (wasOffline && isConnected) location.reload()
  }, [wasOffline, isConnected])
  return (
    <Page title={isConnected ? texts.somethingWentWrong : texts.offline}>
      <Failure
        error={isLostPart(error) ? new Error(lostPart) : error}
        {...(isConnected && { retry: () => location.reload() })}
      />
    </Page>
  )
}

export const router = createRouter({
  routeTree: root.addChildren([
    landing,
    tryOut,
    register,
    verify,
    login,
    signIn,
    forgotPassword,
    resetPassword,
    join,
    shared,
    account,
    home,
    scan,
    batch,
    scans,
    scanResult,
    projects,
    project,
    findings,
    organization,
    newOrganization,
    compare,
    keys,
    plan,
    webhooks,
    webhook,
    detectors,
    detector,
    reference,
    referenceSection,
    oldReference,
  ]),
  defaultPreload: 'intent',
  // In milliseconds: a link that focus or pointer only pass loads nothing, which would hold up the next key.
  defaultPreloadDelay: 200,
  // Here, not at the root: the header and the menu stay.
  defaultErrorComponent: BrokenPage,
  defaultPendingComponent: () => <ComingPage shape="text" />,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
