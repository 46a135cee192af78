export { LoadingList as default } from "#components/loading-pages.tsx";
