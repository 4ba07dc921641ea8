// Runs before the first paint, so that a dark page never flashes white. A file of its own because the
// Content-Security-Policy allows no inline script.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('assay-theme')
  } catch {
    // Storage may be switched off: the system's preference decides.
  }
  const dark = choice ? choice === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
