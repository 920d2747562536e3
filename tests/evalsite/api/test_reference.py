"""The page of the API: made from the schema, whole, and without anything from elsewhere."""

import re

from evalsite.api.api import api


def test_every_operation_is_on_the_page_with_a_command_to_call_it(client, db):
    page = client.get("/api/").content.decode()
    schema = client.get("/api/v1/openapi.json").json()
    operations = [each for methods in schema["paths"].values() for each in methods.values()]
    assert len(operations) >= 14
    for operation in operations:
        assert f'id="{operation["operationId"]}"' in page
        assert operation["summary"] in page
    assert page.count("curl") > len(operations)


def test_the_page_loads_nothing_from_elsewhere_and_has_no_script_of_its_own(client, db):
    page = client.get("/api/").content.decode()
    assert not re.findall(r'(?:src|href)="https?://(?!testserver)', page)
    assert not re.findall(r"<script(?![^>]*src=)", page)


def test_the_schema_says_which_operations_need_a_token():
    paths = api.get_openapi_schema()["paths"]
    assert "security" not in paths["/api/v1/tasks"]["get"]
    assert paths["/api/v1/me"]["get"]["security"] == [{"Reading": []}]
    assert paths["/api/v1/tasks/{task}/{phase}/submissions"]["post"]["security"] == [{"Uploading": []}]
