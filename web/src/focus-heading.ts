import { router } from './router.tsx'

/** A reader who does not see the page change hears the new page's heading. Another filter on the same page is no new page. */
export function focusHeadingAfterNavigation(): void {
  router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
    if (fromLocation && fromLocation.pathname !== toLocation.pathname) document.querySelector('h1')?.focus()
  })
}
