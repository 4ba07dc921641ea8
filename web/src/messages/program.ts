/** Texts of files at the top, by the file that shows them. Texts with values are functions. */

export const router = {
  pageNotFound: 'Page not found',
  checkUrlUseMenu: 'Check the URL or use the menu above.',
  offlinePart: 'You are offline, and this page has not been loaded yet. Everything that is open stays.',
  partPageCouldNot: 'A part of this page could not be loaded. Check your connection, then try again.',
  somethingWentWrong: 'Something went wrong',
}
