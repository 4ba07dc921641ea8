// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Points {
    mapping(address => uint256) public points;

    function buy() external payable {
        points[msg.sender] += msg.value;
    }

    function move(address to, uint256 amount) external {
        uint256 mine = points[msg.sender];
        require(mine >= amount, "points");
        points[msg.sender] = mine - amount;
        points[to] += amount;
    }

    function redeem(uint256 amount) external {
        points[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
