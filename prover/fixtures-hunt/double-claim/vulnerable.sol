// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Distributor {
    struct Grant {
        address to;
        uint256 amount;
        bool isPaid;
    }

    Grant[] public grants;

    function fund(address to) external payable {
        grants.push(Grant(to, msg.value, false));
    }

    function claim(uint256[] calldata ids) external {
        uint256 total = 0;
        for (uint256 i = 0; i < ids.length; i++) {
            Grant storage grant = grants[ids[i]];
            require(grant.to == msg.sender, "not yours");
            require(!grant.isPaid, "paid");
            total += grant.amount;
        }
        for (uint256 i = 0; i < ids.length; i++) grants[ids[i]].isPaid = true;
        (bool ok, ) = msg.sender.call{value: total}("");
        require(ok, "payment");
    }
}
