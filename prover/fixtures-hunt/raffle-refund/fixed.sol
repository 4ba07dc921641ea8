// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Draw {
    uint256 public constant TICKET = 1 ether;
    address[] public guests;

    function enter(address[] calldata people) external payable {
        require(msg.value == TICKET * people.length, "price");
        for (uint256 i = 0; i < people.length; i++) guests.push(people[i]);
    }

    function leave(uint256 place) external {
        require(guests[place] == msg.sender, "not yours");
        guests[place] = address(0);
        (bool ok, ) = msg.sender.call{value: TICKET}("");
        require(ok, "payment");
    }
}
