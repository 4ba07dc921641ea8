import { router } from './router.tsx'

/**
 * A reader who does not see the page change hears the new page's heading, or the label of the field it starts with.
 * Another filter on the same page is no new page.
 */
export function focusHeadingAfterNavigation(): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (!fromLocation || fromLocation.pathname === toLocation.pathname) return
    const first = document.querySelector<HTMLElement>('main [data-first]') ?? document.querySelector('h1')
    first?.focus()
  })
}
