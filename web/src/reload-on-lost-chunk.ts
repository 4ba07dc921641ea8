const mark = 'assay-reloaded'

/**
 * A new version of the page replaces the parts that an open tab has not loaded yet. Loading the tab anew gets the new
 * parts; once, because a part that is missing for another reason would reload for ever.
 */
export function reloadOnLostChunk(): void {
  addEventListener('vite:preloadError', () => {
    if (sessionStorage.getItem(mark) === location.href) return
    sessionStorage.setItem(mark, location.href)
    location.reload()
  })
}
