# The image of PostgreSQL runs this once, on a new volume. Catchment's role owns its database, and isn't a superuser.
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
create role catchment login password :'password';
create database catchment owner catchment;
SQL
